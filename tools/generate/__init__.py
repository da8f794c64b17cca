"""What writes files of the project from its code: tables, fonts, screens, diagrams."""
