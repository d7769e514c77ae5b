-- fails: fails/start.lua:4: nothing to play
function scene.start()
  local function deeper()
    error "nothing to play"
  end
  deeper()
end
