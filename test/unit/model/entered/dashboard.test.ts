import { strict as assert } from 'node:assert';
import { dashboardPage, dashboardProblem } from '../../../../src/model/entered/dashboard.js';

const template = 'https://dash.example/deployments/{deploymentId}';

describe('the dashboard', () => {
  for (const [text, problem] of [
    ['https://dash.example:8443/#/d/{deploymentId}?tab={deploymentId}', undefined],
    ['https://dash.example?id={deploymentId}', undefined],
    ['http://[::1]:3000/{deploymentId}', undefined],
    ['dash.example/{deploymentId}', 'notAUrl'],
    ['https:/dash.example/{deploymentId}', 'notAUrl'],
    ['"https://dash.example/{deploymentId}"', undefined],
    ['https://dash.example/a b/{deploymentId}', 'character'],
    ['https://dash.example\\{deploymentId}', 'character'],
    ['https://https://dash.example/{deploymentId}', 'twoSchemes'],
    ['https://127.1/{deploymentId}', 'changedHost'],
    ['${DASHBOARD_URL}', 'placeholder'],
    ['vscode://dash.example/{deploymentId}', 'scheme'],
    ['https://me:secret@dash.example/{deploymentId}', 'credentials'],
    ['https://{deploymentId}@dash.example/', 'credentials'],
    ['http://localhost.example/{deploymentId}', 'insecure'],
    ['https://{deploymentId}.dash.example/{deploymentId}', 'host'],
    ['https://dash.example:{deploymentId}/', 'host'],
    ['https://dash.example/{DeploymentId}', 'missing'],
  ] as const) {
    it(`${problem ? `is refused as ${problem}` : 'can be used'}: ${text}`, () =>
      assert.equal(dashboardProblem(text), problem));
  }

  it('has a page whose URL holds the ID as one encoded piece, which no URL parser changes', () => {
    const encoded = 'a%2Fb%3Fc%26d%3D%23%25';
    for (const setting of [template, `"${template}"`]) {
      assert.equal(
        dashboardPage(setting, 'a/b?c&d=#%').url,
        `https://dash.example/deployments/${encoded}`,
      );
    }
    for (const id of [
      'dep_1',
      '$&',
      '%2e%2e',
      '...',
      'ü 日本😀',
      `!'()*~<>"\`|\\^{}@:;,+`,
      '{deploymentId}',
    ]) {
      const { url } = dashboardPage(`${template}/x?id={deploymentId}#/{deploymentId}`, id);
      assert.equal(new URL(url).href, url);
      const shape = /^https:\/\/dash\.example\/deployments\/([\w.%-]+)\/x\?id=\1#\/\1$/;
      assert.equal(decodeURIComponent(shape.exec(url)?.[1] ?? url), id);
    }
  });

  it('has none for an ID that no encoding helps', () => {
    for (const id of ['', '.', '..', 'a\ud800'])
      assert.throws(() => dashboardPage(template, id), JSON.stringify(id));
  });
});
