"""Steps that rules give: each constraint explains itself from its primitive constraints."""
