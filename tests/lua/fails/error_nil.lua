-- fails: the script raised nil, not a message
function scene.start() error() end
