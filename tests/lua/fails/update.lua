-- fails: fails/update.lua:4: attempt to index a nil value (global 'bar')
function scene.update()
  local sb = require "sandbell"
  if sb.now() > 0.5 then bar:strike { speed = 1 } end
end
