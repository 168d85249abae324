import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { ImportResult } from '#client';
import { api, call } from '@/lib/api/client';
import { listImports } from '@/lib/api/list-imports';
import type { Outcome } from '@/lib/api/save-resource';
import { useWrite } from '@/lib/api/use-write';

/** What the removal of an import would delete, with the tag of what it was tried upon. */
export const previewRemoval = (id: string) =>
  queryOptions({
    queryKey: ['import-removal', id],
    queryFn: ({ signal }) => call(api.configuration.removeOpenApiImportRaw({ id, dryRun: true }, { signal })),
    retry: false,
    gcTime: 0,
  });

interface Removal {
  readonly id: string;
  /** That of the preview: nothing else is deleted than what was shown. */
  readonly ifMatch: string | undefined;
}

export function useRemoveImport({ onDone, onFailed }: Outcome<ImportResult>) {
  const client = useQueryClient();
  const write = useWrite();
  return useMutation({
    mutationFn: (removal: Removal) =>
      write(removal, (idempotencyKey) =>
        api.configuration.removeOpenApiImportRaw({ ...removal, idempotencyKey }),
      ),
    onSuccess: ({ value }) => {
      void client.invalidateQueries({ queryKey: ['resources'] });
      void client.invalidateQueries({ queryKey: ['revisions'] });
      void client.invalidateQueries({ queryKey: listImports.queryKey });
      onDone(value);
    },
    onError: onFailed,
  });
}
