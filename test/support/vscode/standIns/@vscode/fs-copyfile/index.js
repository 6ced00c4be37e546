const { copyFile, cp } = require('node:fs/promises');

module.exports = { copyFile, cp };
