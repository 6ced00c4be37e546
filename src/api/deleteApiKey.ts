import type { Call, RevocationOutcome, Target } from './client.js';
import type { Sender } from './send.js';

/** Reference, 4.2: permanently revokes an organization API key. Sent once; never rejects. */
export function deleteApiKey(sender: Sender, target: Target, keyId: string, call: Call): Promise<RevocationOutcome> {
  const operation = { method: 'DELETE', template: '/api-keys/{keyId}', id: keyId, idIsSecret: true } as const;
  return sender.delete(target, operation, call);
}
