import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { EmptyState } from '@/components/empty-state';
import { t } from '@/locales';

export function NotFoundPage() {
  return (
    <EmptyState
      title={t('There is no such page')}
      action={
        <Button variant="default" renderRoot={(props) => <Link {...props} to="/" />}>
          {t('To the overview')}
        </Button>
      }
    >
      {t('The address may be mistyped, or the resource no longer exists.')}
    </EmptyState>
  );
}
