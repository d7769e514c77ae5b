-- fails: the script raised a table, not a message
error { code = 3 }
