/**
 * What stands between a person and the platform, and answers in its place, as public reports describe
 * it: the answer, and what a read must end with while nothing else of the organization has answered.
 */

import type { Answerer } from '../../../src/api/answerer/whoAnswered.js';
import type { Failure } from '../../../src/api/failure.js';
import { type Fault, faults } from './faults.js';

export interface Situation {
  readonly fault: Fault;
  readonly kind: Failure['kind'];
  readonly who: Answerer;
  /** The title of the page, or the realm of the challenge. */
  readonly named?: string;
}

const html = { 'content-type': 'text/html; charset=utf-8' };

export function page(status: number, title: string, more: Fault = {}): Fault {
  const body = `<!DOCTYPE html>\n<html><head><title>${title}</title></head><body><p>Hello.</p></body></html>\n`;
  return { status, body, headers: html, ...more };
}

function challenge(value: string | string[], more: Fault = {}): Fault {
  return { status: 401, body: null, headers: { 'www-authenticate': value }, ...more };
}

const filter = { kind: 'notFromPlatform', who: 'filter' } as const;
const webServer = { kind: 'notFromPlatform', who: 'webServer' } as const;
const signInPage = { kind: 'notFromPlatform', who: 'signInPage' } as const;
const gateway = { kind: 'tokenRejected', who: 'unclear' } as const;

export const onTheWay = {
  'a challenge for browsers (403)': {
    fault: page(403, 'Just a moment...'),
    named: 'Just a moment...',
    ...filter,
  },
  'a firewall for web applications (403)': {
    fault: {
      status: 403,
      body: '<html>\r\n<head><title>403 Forbidden</title></head>\r\n</html>\r\n',
      headers: html,
    },
    named: '403 Forbidden',
    ...filter,
  },
  'a web filter with entities in its title (403)': {
    fault: page(403, 'Zugriff&nbsp;verweigert &#8211; Geb&auml;ude&#x20;7 &amp; 8'),
    named: 'Zugriff verweigert – Gebäude 7 & 8',
    ...filter,
  },
  'a web filter that calls its page JSON (403)': {
    fault: page(403, 'Blocked', { headers: { 'content-type': 'application/json' } }),
    named: 'Blocked',
    ...filter,
  },
  'a web filter without a type, after a byte order mark (403)': {
    fault: {
      status: 403,
      body: '\uFEFF \r\n<HTML lang=en><HEAD><TITLE>\n Access\n  Denied </TITLE>',
      headers: {},
    },
    named: 'Access Denied',
    ...filter,
  },
  'a web filter in Shift JIS (403)': {
    fault: {
      status: 403,
      body: Buffer.concat([
        Buffer.from('<html><head><title>'),
        Buffer.from([0x8b, 0x91, 0x94, 0xdb]),
        Buffer.from('</title>'),
      ]),
      headers: { 'content-type': 'text/html; charset=Shift_JIS' },
    },
    named: '拒否',
    ...filter,
  },
  // Kilo-Org/kilocode #14325
  'a checkpoint of a hosting service (403)': {
    fault: page(403, 'Vercel Security Checkpoint'),
    named: 'Vercel Security Checkpoint',
    ...filter,
  },
  // square/okhttp #8001
  'a content delivery network with upper-case tags (403)': {
    fault: {
      status: 403,
      body: '<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN">\n<HTML><HEAD><TITLE>ERROR: The request could not be satisfied</TITLE>',
      headers: html,
    },
    named: 'ERROR: The request could not be satisfied',
    ...filter,
  },
  // Ekultek/WhatWaf #513
  'a firewall with a comment before its page (403)': {
    fault: {
      status: 403,
      body: '<!-- IE friendly error message walkround. -->\n<!DOCTYPE html><title>Web Filter Violation</title>',
      headers: html,
    },
    named: 'Web Filter Violation',
    ...filter,
  },
  // oauth2-proxy/oauth2-proxy #2918
  'a sign-in page of a gateway (403)': { fault: page(403, 'Sign In'), named: 'Sign In', ...filter },
  'a block for legal reasons (451)': {
    fault: page(451, 'Unavailable'),
    named: 'Unavailable',
    ...filter,
  },
  'a page without a title (403)': {
    fault: { status: 403, body: '<body>Denied</body>', headers: html },
    ...filter,
  },
  'a fragment that is called a page (403)': {
    fault: { status: 403, body: '<p>Denied</p>', headers: html },
    ...filter,
  },
  'another web server (404)': {
    fault: page(404, '404 Not Found'),
    named: '404 Not Found',
    ...webServer,
  },
  'a web server without such a method (405)': {
    fault: page(405, '405 Not Allowed'),
    named: '405 Not Allowed',
    ...webServer,
  },
  'the app of the platform (200)': {
    fault: page(200, 'Acme &mdash; Dashboard'),
    named: 'Acme — Dashboard',
    ...signInPage,
  },
  'a captive portal (200)': {
    fault: {
      status: 200,
      body: '<HTML><HEAD><TITLE>Hotel Wi-Fi</TITLE></HEAD></HTML>',
      headers: {},
    },
    named: 'Hotel Wi-Fi',
    ...signInPage,
  },
  // Ekultek/WhatWaf #1371
  'a firewall that rejects with success (200)': {
    fault: {
      status: 200,
      body: '<html><head><title>Request Rejected</title></head><body>The requested URL was rejected.</body></html>',
      headers: html,
    },
    named: 'Request Rejected',
    ...signInPage,
  },
  // MicrosoftDocs/vsts-rest-api-specs #97
  'a sign-in page with another success (203)': {
    fault: page(203, 'Sign In'),
    named: 'Sign In',
    ...signInPage,
  },
  // openwrt/packages PR 16140
  'a captive portal that leads on by a header of its page (200)': {
    fault: {
      status: 200,
      body: '<html>\n<head>\n<meta http-equiv="refresh" content="0; url=https://gwhs.example/login"/>',
      headers: html,
    },
    ...signInPage,
  },
  'an interstitial that leads on by a script (200)': {
    fault: { status: 200, body: '<script>location="/login"</script>', headers: html },
    ...signInPage,
  },
  'a gateway with Basic (401)': {
    fault: challenge('Basic realm="Restricted"'),
    named: 'Restricted',
    ...gateway,
  },
  'a gateway with Basic and an unquoted realm (401)': {
    fault: challenge('Basic realm=Restricted Area'),
    named: 'Restricted Area',
    ...gateway,
  },
  'a gateway with Negotiate and NTLM (401)': {
    fault: challenge(['Negotiate', 'NTLM']),
    ...gateway,
  },
  'a gateway with Digest and Basic in one header (401)': {
    fault: challenge('Digest realm="a, \\"b\\"", nonce="x==", Basic realm="c"'),
    named: 'a, "b"',
    ...gateway,
  },
  'a gateway with a page of its own (401)': {
    fault: page(401, 'Sign in'),
    named: 'Sign in',
    ...gateway,
  },
  // Radiokot/photoprism-android-client #131
  'a gateway that names its sign-in beside a 401': {
    fault: page(401, '401 Unauthorized', {
      headers: { ...html, location: 'https://auth.example/?rd=x' },
    }),
    named: '401 Unauthorized',
    ...gateway,
  },
  // coollabsio/openclaw PR 87
  'a web server with Basic and a page (401)': {
    fault: page(401, '401 Authorization Required', {
      headers: { ...html, 'www-authenticate': 'Basic realm="Restricted"' },
    }),
    named: 'Restricted',
    ...gateway,
  },
  'a sign-in on another host (302)': {
    fault: faults.redirect('https://team.example/cdn-cgi/access/login?kid=1'),
    kind: 'redirected',
    who: 'signInPage',
  },
  'a sign-in on the same host (302)': {
    fault: faults.redirect('/login'),
    kind: 'redirected',
    who: 'unclear',
  },
  'a sign-in that is seen with GET (303)': {
    fault: faults.redirect('https://sso.example/start', 303),
    kind: 'redirected',
    who: 'signInPage',
  },
  // MicrosoftDocs/azure-devops-docs #13661
  'a sign-in that sends a page with its redirect (302)': {
    fault: page(302, 'Object moved', {
      headers: { ...html, location: '/_signin?realm=x&reply_to=y' },
    }),
    kind: 'redirected',
    who: 'unclear',
  },
  // Kaoruha/GinkGO #5389
  'a slash at the end (307)': {
    fault: faults.redirect('/api/v1/deployments/dep_billing/authorization/', 307),
    kind: 'redirected',
    who: 'unclear',
  },
  'a platform that has moved (308)': {
    fault: faults.redirect('https://new.example/api/v1/deployments/dep_billing/authorization', 308),
    kind: 'redirected',
    who: 'platform',
  },
} as const satisfies Readonly<Record<string, Situation>>;

export interface HealthySituation {
  readonly fault: Fault;
  readonly kind: Failure['kind'];
}

const json = { 'content-type': 'application/json' };

/** How healthy platforms answer by default, by the frameworks that they are made with. */
export const healthyPlatforms = {
  'Express, unknown path (404)': {
    fault: {
      status: 404,
      body: '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>Error</title>\n</head>\n<body>\n<pre>Cannot GET /x</pre>\n</body>\n</html>\n',
      headers: html,
    },
    kind: 'notFound',
  },
  'Rails, unknown record (404)': {
    fault: page(404, "The page you were looking for doesn't exist (404)"),
    kind: 'notFound',
  },
  'Django, no permission (403)': {
    fault: {
      status: 403,
      body: '<!doctype html>\n<html lang="en">\n<head>\n  <title>403 Forbidden</title>\n',
      headers: html,
    },
    kind: 'notPermitted',
  },
  'Laravel, unknown path (404)': { fault: page(404, 'Not Found'), kind: 'notFound' },
  'Laravel, expired page (419)': { fault: page(419, 'Page Expired'), kind: 'clientError' },
  'Spring, Basic (401)': {
    fault: challenge('Basic realm="Realm"', {
      body: '{"status":401}',
      headers: { ...json, 'www-authenticate': 'Basic realm="Realm"' },
    }),
    kind: 'tokenRejected',
  },
  'Spring, whitelabel page (404)': {
    fault: {
      status: 404,
      body: '<html><body><h1>Whitelabel Error Page</h1></body></html>',
      headers: html,
    },
    kind: 'notFound',
  },
  'an error as plain text that is called HTML (403)': {
    fault: { status: 403, body: 'Forbidden', headers: html },
    kind: 'notPermitted',
  },
  'an error as JSON that is called HTML (404)': {
    fault: { status: 404, body: ' {"error":"not found"}', headers: html },
    kind: 'notFound',
  },
  'an empty error (403)': {
    fault: { status: 403, body: null, headers: html },
    kind: 'notPermitted',
  },
  'Flask, unknown path (404)': {
    fault: {
      status: 404,
      body: '<!doctype html>\n<html lang=en>\n<title>404 Not Found</title>\n',
      headers: html,
    },
    kind: 'notFound',
  },
  'Django, unknown path, after a line break (404)': {
    fault: {
      status: 404,
      body: '\n<!doctype html>\n<html lang="en">\n<head>\n  <title>Not Found</title>\n',
      headers: html,
    },
    kind: 'notFound',
  },
  'Rails, rejected token (401)': {
    fault: challenge('Token realm="Application"', { body: 'HTTP Token: Access denied.\n' }),
    kind: 'tokenRejected',
  },
  'Spring, no permission (403)': {
    fault: {
      status: 403,
      body: null,
      headers: { 'www-authenticate': 'Bearer error="insufficient_scope"' },
    },
    kind: 'notPermitted',
  },
  // Azure/AKS #5719: a firewall's, which nothing tells from the platform's
  'JSON as plain text (403)': {
    fault: {
      status: 403,
      body: '{"message":"Forbidden"}',
      headers: { 'content-type': 'text/plain' },
    },
    kind: 'notPermitted',
  },
  'Jenkins, no credentials (403)': {
    fault: {
      status: 403,
      body: "<html><head><meta http-equiv='refresh' content='1;url=/login'/></head></html>",
      headers: html,
    },
    kind: 'notPermitted',
  },
  'XML (404)': {
    fault: {
      status: 404,
      body: '<?xml version="1.0"?><Error/>',
      headers: { 'content-type': 'application/xml' },
    },
    kind: 'notFound',
  },
  'Laravel, an error (500)': { fault: page(500, 'Server Error'), kind: 'serverError' },
  'a firewall that says to be broken (503)': {
    fault: page(503, 'Web Page Blocked'),
    kind: 'serverError',
  },
  'a page of a proxy with 502': { fault: page(502, '502 Bad Gateway'), kind: 'serverError' },
  'a page of a proxy with 429': { fault: page(429, 'Too Many Requests'), kind: 'rateLimited' },
  'Bearer (401)': { fault: challenge('Bearer error="invalid_token"'), kind: 'tokenRejected' },
  'Bearer and Basic (401)': {
    fault: challenge(['Bearer', 'Basic realm="x"']),
    kind: 'tokenRejected',
  },
} as const satisfies Readonly<Record<string, HealthySituation>>;
