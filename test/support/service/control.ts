/**
 * The service's actions over HTTP, on a port of their own: `POST /<action>` with a JSON array of arguments, answered with JSON.
 * By hand: curl -H 'content-type: application/json' -d '["dep_77"]' <controlUrl>/deleteDeployment
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { members } from './client.js';
import { listen } from './listen.js';
import type { Service } from './service.js';
import { encode, revive } from './wire.js';

export async function startControl(service: Service): Promise<{ url: string; stop: () => Promise<void> }> {
  const server = createServer((request, response) => {
    answer(service, request, response).catch((error: unknown) => {
      response.statusCode = 500;
      response.end(encode(error instanceof Error ? error.message : String(error)));
    });
  });
  return {
    url: `http://127.0.0.1:${await listen(server)}`,
    stop: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

async function answer(service: Service, request: IncomingMessage, response: ServerResponse): Promise<void> {
  response.setHeader('content-type', 'application/json');
  // The client reads up to the end of the connection.
  response.setHeader('connection', 'close');
  const name = members.find((member) => `/${member}` === request.url);
  // A web page cannot send this type to another origin without being asked first.
  if (request.method !== 'POST' || request.headers['content-type'] !== 'application/json' || name === undefined) {
    response.statusCode = 404;
    response.end(encode(`no action ${request.url}: POST /<action> with content-type application/json`));
    return;
  }
  const given: unknown[] = JSON.parse((await text(request)) || '[]', revive);
  const member = service[name];
  if (name === 'stop') {
    // Stopping closes this very connection: the answer goes first.
    response.end(encode(null), () => void service.stop());
  } else if (typeof member === 'function') {
    response.end(encode(await Reflect.apply(member, service, given)));
  } else {
    response.end(encode(member));
  }
}
