import { Alert, Button, Group } from '@mantine/core';
import { IconStack2 } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { kinds, type Kind } from '@/lib/kinds';
import { unstage, useStagedChange } from '@/lib/staged';
import { t } from '@/locales';

/** Says on the page of a resource that a change of it is staged. */
export function StagedNote({ kind, id }: { readonly kind: Kind; readonly id: string }) {
  const change = useStagedChange(kind, id);
  if (change === undefined) {
    return null;
  }
  const { singular } = kinds[kind];
  return (
    <Alert
      mb="md"
      color="yellow"
      icon={<IconStack2 />}
      title={
        change.body === undefined
          ? t('The deletion of this {singular} is staged', { singular })
          : t('A change of this {singular} is staged', { singular })
      }
    >
      {change.body !== undefined && <>{t('The form and the text start from the staged change.')} </>}
      {t('Gateways do not have it until it is published.')}
      <Group gap="xs" mt="xs">
        <Button size="compact-sm" variant="default" renderRoot={(props) => <Link {...props} to="/staged" />}>
          {t('Show staged changes')}
        </Button>
        <Button size="compact-sm" variant="default" onClick={() => unstage([change])}>
          {t('Discard the staged change')}
        </Button>
      </Group>
    </Alert>
  );
}
