-- fails: fails/syntax.lua:2: <name> expected near '='
local = 3
