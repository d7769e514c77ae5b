-- Coroutines that are closed by a __close of another, without end.
-- Phases: load, update, coroutine, reload.
local function make()
  local co = coroutine.create(function()
    local x <close> = setmetatable({}, { __close = function() coroutine.close(make()) end })
    coroutine.yield()
  end)
  coroutine.resume(co)
  return co
end
_ENV.make = make
local function chain(n)
  local co = coroutine.create(function()
    local x <close> = setmetatable({}, { __close = function() chain(n + 1) end })
    coroutine.yield()
  end)
  coroutine.resume(co)
  coroutine.close(co)
end
chain(1)
