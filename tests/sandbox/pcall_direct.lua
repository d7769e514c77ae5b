-- pcall of pcall of pcall, so that no Lua code is between them.
-- Phases: load, update, coroutine, reload.
while true do pcall(pcall, pcall, pcall, error) end
