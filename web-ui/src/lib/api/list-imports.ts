import { queryOptions } from '@tanstack/react-query';
import { api, call } from '@/lib/api/client';

/** What was imported from OpenAPI documents, ordered by id. */
export const listImports = queryOptions({
  queryKey: ['imports'],
  queryFn: async ({ signal }) =>
    (await call(api.configuration.listOpenApiImportsRaw({ signal }))).value.items,
});
