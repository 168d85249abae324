import { Alert, Group, Stack, Text } from '@mantine/core';
import { IconStethoscope } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { SeverityBadge } from '@/components/severity-badge';
import { findingsOf } from '@/lib/api/list-findings';
import { kinds, type Kind } from '@/lib/kinds';
import { t } from '@/locales';
import { translateServer } from '@/locales/server';

/** The findings of a resource; nothing while there are none. */
export function ResourceFindings({ kind, id }: { kind: Kind; id: string }) {
  const { data = [] } = useQuery(findingsOf(kinds[kind].contractKind, id));
  if (data.length === 0) {
    return null;
  }
  return (
    <Alert
      mb="md"
      color={data.some(({ severity }) => severity === 'ERROR') ? 'red' : 'yellow'}
      icon={<IconStethoscope />}
      title={t('Analysis')}
    >
      <Stack gap={6}>
        {data.map((finding) => (
          <Group key={`${finding.rule} ${finding.pointer} ${finding.detail}`} gap="xs" align="start">
            <SeverityBadge severity={finding.severity} onColor />
            <Text size="sm" flex="1 1 14rem">
              {translateServer(finding.detail)}
            </Text>
          </Group>
        ))}
      </Stack>
    </Alert>
  );
}
