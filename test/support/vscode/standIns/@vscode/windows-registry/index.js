// What the server looks up in the registry (the machine's id, shell integration) it does without.
exports.GetStringRegKey = () => undefined;
exports.GetDWORDRegKey = () => undefined;
