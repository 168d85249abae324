import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, call } from '@/lib/api/client';

export type Import =
  | { readonly format: 'sigma-json'; readonly text: string }
  | {
      readonly format: 'openapi';
      readonly text: string;
      readonly proxyServerId: string;
      readonly id: string | undefined;
      readonly hosts: readonly string[];
      readonly nodes: readonly string[];
      readonly removeVanished: boolean;
    };

interface ImportRequest {
  readonly wanted: Import;
  readonly dryRun: boolean;
  /** That of the preview: nothing else is imported than what was shown. */
  readonly ifMatch: string | undefined;
}

/** Tries an import, or does it. */
export function useImport() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ wanted, ...how }: ImportRequest) => call(request(wanted, how)),
    onSuccess: (_, { dryRun }) => {
      if (!dryRun) {
        void client.invalidateQueries({ queryKey: ['resources'] });
        void client.invalidateQueries({ queryKey: ['revisions'] });
      }
    },
  });
}

function request(wanted: Import, how: Omit<ImportRequest, 'wanted'>) {
  return wanted.format === 'sigma-json'
    ? api.configuration.importSigmaJsonRaw({ body: parsed(wanted.text), ...how })
    : api.configuration.importOpenApiRaw({
        openApiImport: {
          document: wanted.text,
          proxyServerId: wanted.proxyServerId,
          id: wanted.id,
          hosts: [...wanted.hosts],
          nodes: [...wanted.nodes],
          removeVanished: wanted.removeVanished,
        },
        ...how,
      });
}

function parsed(text: string): object {
  const value: unknown = JSON.parse(text);
  if (typeof value !== 'object' || value === null) {
    throw new Error('The file is no JSON object.');
  }
  return value;
}
