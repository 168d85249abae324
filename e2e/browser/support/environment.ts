function required(name: string): string {
  const value = process.env[name];
  if (value === undefined || value === '') {
    throw new Error(
      `${name} is not set (expected: set by support/global-setup.ts, or by you beside SIGMA_E2E_ADMIN_URL)`,
    );
  }
  return value;
}

export const environment = {
  adminUrl: () => required('SIGMA_E2E_ADMIN_URL'),
  token: () => required('SIGMA_E2E_TOKEN'),
  gatewayPort: () => Number(required('SIGMA_E2E_GATEWAY_PORT')),
  upstreamUrl: () => required('SIGMA_E2E_UPSTREAM_URL'),
};
