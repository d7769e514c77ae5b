-- fails: C stack overflow
local t = setmetatable({}, {})
getmetatable(t).__index = function(_, key) return t[key .. "x"] .. "" end
return t.x
