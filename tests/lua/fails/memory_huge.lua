-- fails: string.rep: the result would be longer than 8 MB
local text = ("x"):rep(1 << 62)
return text
