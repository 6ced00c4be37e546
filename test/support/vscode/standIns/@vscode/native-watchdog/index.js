// The server's own code also looks whether its parent still lives.
exports.start = () => {};
