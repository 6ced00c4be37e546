import { type Decoded, type Decoder, object, string } from './decode.js';

const integrationInstallFields = {
  expiresAt: string,
  label: string,
  requiredPlan: string,
  serviceId: string,
  serviceName: string,
  serviceSub: string,
};

export type IntegrationInstall = Decoded<typeof integrationInstallFields>;

const fieldNames = Object.keys(integrationInstallFields);
const decodeInstallFields = object(integrationInstallFields, fieldNames);

/** Returns `undefined` unless at least one documented field is right. */
export const decodeIntegrationInstall: Decoder<IntegrationInstall> = (value, issues) => {
  const decoded = decodeInstallFields(value, issues);
  if (decoded === undefined) return undefined;
  const hasUsableField = fieldNames.some((name) => Object.hasOwn(decoded, name));
  return hasUsableField ? decoded : undefined;
};

export const installTemplate = '/integration-installs/{token}';
