import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ImportResult } from '#client';
import { api, call } from '@/lib/api/client';
import { listImports } from '@/lib/api/list-imports';
import type { Outcome } from '@/lib/api/save-resource';
import { useWrite } from '@/lib/api/use-write';

export type Import =
  | { readonly format: 'sigma-json'; readonly text: string }
  | {
      readonly format: 'openapi';
      readonly text: string;
      readonly proxyServerId: string;
      readonly id: string | undefined;
      readonly hosts: readonly string[];
      readonly nodes: readonly string[];
      readonly server: number | undefined;
      readonly removeVanished: boolean;
      readonly force: boolean;
    };

interface ImportRequest {
  readonly wanted: Import;
  readonly dryRun: boolean;
  /** That of the preview: nothing else is imported than what was shown. */
  readonly ifMatch: string | undefined;
}

export interface Imported {
  readonly dryRun: boolean;
  readonly value: ImportResult;
}

/** Tries an import, or does it. */
export function useImport({ onDone, onFailed }: Outcome<Imported>) {
  const client = useQueryClient();
  const write = useWrite();
  return useMutation({
    mutationFn: (wish: ImportRequest) =>
      wish.dryRun
        ? call(request(wish))
        : write(wish, (idempotencyKey) => request({ ...wish, idempotencyKey })),
    onSuccess: ({ value }, { dryRun }) => {
      if (!dryRun) {
        void client.invalidateQueries({ queryKey: ['resources'] });
        void client.invalidateQueries({ queryKey: listImports.queryKey });
        void client.invalidateQueries({ queryKey: ['revisions'] });
      }
      onDone({ dryRun, value });
    },
    onError: onFailed,
  });
}

function request({ wanted, ...how }: ImportRequest & { readonly idempotencyKey?: string }) {
  return wanted.format === 'sigma-json'
    ? // As it was typed: read here it would lose keys that come twice and digits of long numbers, without a word.
      api.configuration.importSigmaJsonRaw(
        { body: {}, ...how },
        { body: new Blob([wanted.text], { type: 'application/json' }) },
      )
    : api.configuration.importOpenApiRaw({
        openApiImport: {
          document: wanted.text,
          proxyServerId: wanted.proxyServerId,
          id: wanted.id,
          hosts: [...wanted.hosts],
          nodes: [...wanted.nodes],
          server: wanted.server,
          removeVanished: wanted.removeVanished,
          force: wanted.force,
        },
        ...how,
      });
}
