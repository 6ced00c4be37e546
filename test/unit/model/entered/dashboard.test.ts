import { strict as assert } from 'node:assert';
import { dashboardPage, dashboardProblem } from '../../../../src/model/entered/dashboard.js';

const template = 'https://dash.example/deployments/{deploymentId}';

describe('the dashboard URL', () => {
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
    it(`is ${problem ? `refused as ${problem}` : 'accepted'}: ${text}`, () =>
      assert.equal(dashboardProblem(text), problem));
  }
});

describe('the page in the dashboard', () => {
  for (const [how, setting] of [
    ['plain', template],
    ['in quotes', `"${template}"`],
  ] as const) {
    it(`has the encoded ID in its URL when the setting is ${how}`, () => {
      const { url } = dashboardPage(setting, 'a/b?c&d=#%');
      assert.equal(url, 'https://dash.example/deployments/a%2Fb%3Fc%26d%3D%23%25');
    });
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
    const pageUrl = () => dashboardPage(`${template}/x?id={deploymentId}#/{deploymentId}`, id).url;

    it(`has a URL that no parser changes for the ID ${id}`, () => {
      assert.equal(new URL(pageUrl()).href, pageUrl());
    });

    it(`has the whole ID at each place when it is ${id}`, () => {
      const shape = /^https:\/\/dash\.example\/deployments\/([\w.%-]+)\/x\?id=\1#\/\1$/;
      assert.equal(decodeURIComponent(shape.exec(pageUrl())?.[1] ?? pageUrl()), id);
    });
  }

  for (const id of ['', '.', '..', 'a\ud800']) {
    it(`does not exist for the ID ${JSON.stringify(id)}, which no encoding helps`, () => {
      assert.throws(() => dashboardPage(template, id));
    });
  }
});
