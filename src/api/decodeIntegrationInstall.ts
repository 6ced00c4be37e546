import { type Decoder, type Fields, object, string } from './decode.js';
import type { IntegrationInstall } from './integrationInstall.js';

export const integrationInstallFields: Fields<IntegrationInstall> = {
  expiresAt: string,
  label: string,
  requiredPlan: string,
  serviceId: string,
  serviceName: string,
  serviceSub: string,
};

const names = Object.keys(integrationInstallFields);
const decodeFields = object(integrationInstallFields, names);

/** Reference, 2.1: all six are required. With some of them the answer is usable, with none it is something else. */
export const decodeIntegrationInstall: Decoder<IntegrationInstall> = (value, problems) => {
  const decoded = decodeFields(value, problems);
  return decoded && names.some((name) => Object.hasOwn(decoded, name)) ? decoded : undefined;
};
