export async function getDeviceId() {
  return '00000000-0000-4000-8000-000000000000';
}
