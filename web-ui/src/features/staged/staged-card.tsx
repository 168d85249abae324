import { Alert, Button, Group, List, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconUsers } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { EntityDiffView } from '@/components/entity-diff-view';
import { FieldErrorText } from '@/components/form/field-error-text';
import { MergePanel } from '@/components/merge/merge-panel';
import { ProblemAlert } from '@/components/problem-alert';
import type { Standing } from '@/features/staged/staged-standing';
import { ApiError } from '@/lib/api/api-error';
import { getResource } from '@/lib/api/get-resource';
import { jsonDiff } from '@/lib/json-diff';
import { kinds } from '@/lib/kinds';
import { hasSecret, stage, unstage, type StagedChange } from '@/lib/staged';
import { t } from '@/locales';

interface StagedCardProps {
  readonly change: StagedChange;
  readonly standing: Standing | undefined;
  readonly disabled: boolean;
}

/** One staged change: what it does, what stands against it, and the ways on. */
export function StagedCard({ change, standing, disabled }: StagedCardProps) {
  const { kind, id, base, body } = change;
  const action = base === undefined ? 'CREATE' : body === undefined ? 'DELETE' : 'UPDATE';
  return (
    <Stack gap="xs">
      <EntityDiffView
        planned
        change={{
          kind: kinds[kind].contractKind,
          id,
          action,
          fields: action === 'DELETE' ? [] : jsonDiff(base, body),
        }}
        aside={
          <Group gap="xs">
            {action !== 'DELETE' && (
              <Button
                size="compact-sm"
                variant="default"
                aria-label={t('Edit {id}', { id })}
                renderRoot={(props) =>
                  action === 'CREATE' ? (
                    <Link {...props} to="/new/$kind" params={{ kind }} search={{ from: id }} />
                  ) : (
                    <Link {...props} to="/$kind/$id" params={{ kind, id }} search={{ tab: 'edit' }} />
                  )
                }
              >
                {t('Edit')}
              </Button>
            )}
            <Button
              size="compact-sm"
              variant="default"
              aria-label={t('Discard the change of {id}', { id })}
              disabled={disabled}
              onClick={() => unstage([change])}
            >
              {t('Discard')}
            </Button>
          </Group>
        }
      />
      {hasSecret(body) && (
        <Text size="xs" c="dimmed">
          {t(
            'This change contains a new secret. It is kept until this page is loaded again, and is not stored.',
          )}
        </Text>
      )}
      {standing !== undefined && standing.errors.length > 0 && (
        <Alert color="red" icon={<IconAlertTriangle />} role="alert" title={t('This cannot be published')}>
          <List size="sm">
            {standing.errors.map((error) => (
              <List.Item key={`${error.pointer} ${error.detail}`}>
                <FieldErrorText error={error} />
              </List.Item>
            ))}
          </List>
        </Alert>
      )}
      {standing?.overtaken === true && <Overtaken change={change} />}
    </Stack>
  );
}

/** Somebody else was faster: merge, or say again what is wanted. */
function Overtaken({ change }: { readonly change: StagedChange }) {
  const { kind, id, base, body } = change;
  const { singular } = kinds[kind];
  const newest = useQuery({ ...getResource(kind, id), staleTime: 0 });
  const gone = newest.error instanceof ApiError && newest.error.status === 404;
  const theirs = newest.isFetchedAfterMount && !newest.isError ? newest.data : undefined;
  return (
    <Alert
      color="yellow"
      icon={<IconUsers />}
      role="alert"
      title={t(
        gone
          ? 'Another user deleted this {singular} after you staged the change'
          : base === undefined
            ? 'Another user created this {singular} after you staged the change'
            : 'Another user changed this {singular} after you staged the change',
        { singular },
      )}
    >
      {gone ? (
        body === undefined ? (
          <Text size="sm">{t('The resource does not exist any more. Discard the change.')}</Text>
        ) : (
          <Button
            size="compact-sm"
            variant="default"
            onClick={() => stage({ ...change, base: undefined, etag: undefined })}
          >
            {t('Create it again')}
          </Button>
        )
      ) : newest.isError ? (
        <ProblemAlert error={newest.error} onRetry={() => void newest.refetch()} />
      ) : theirs === undefined ? null : body === undefined ? (
        <Button
          size="compact-sm"
          variant="default"
          onClick={() => stage({ ...change, base: theirs.value, etag: theirs.etag })}
        >
          {t('Delete the changed {singular}', { singular })}
        </Button>
      ) : (
        <MergePanel
          key={theirs.etag}
          base={base ?? {}}
          mine={body}
          theirs={theirs.value}
          action={t('Stage the merge')}
          onSave={(merged) => stage({ ...change, base: theirs.value, etag: theirs.etag, body: merged })}
        />
      )}
    </Alert>
  );
}
