-- A __close that loops while the timeout unwinds the stack.
-- Phases: load, update, coroutine, reload.
while true do
  pcall(function()
    local x <close> = setmetatable({}, { __close = function() while true do end end })
    while true do end
  end)
end
