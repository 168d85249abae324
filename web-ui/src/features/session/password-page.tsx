import { Alert, Button, Group, Paper, PasswordInput, Stack } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { messageOf } from '@/components/form/field-messages';
import { EmptyState } from '@/components/empty-state';
import { PageHeader } from '@/components/page-header';
import { ProblemAlert } from '@/components/problem-alert';
import { ApiError } from '@/lib/api/api-error';
import { changePassword } from '@/lib/api/sessions';
import { beginCookieSession, useSession } from '@/lib/session';
import { t } from '@/locales';

export function PasswordPage() {
  const { account } = useSession();
  const navigate = useNavigate();
  const [current, setCurrent] = useState('');
  const [fresh, setFresh] = useState('');
  const [again, setAgain] = useState('');
  const change = useMutation({
    ...changePassword,
    onSuccess: (changed) => {
      beginCookieSession(changed);
      notifications.show({ message: t('The password is changed. Your other sessions have ended.') });
      void navigate({ to: '/' });
    },
  });
  if (account !== undefined && account.credential !== 'SESSION') {
    return (
      <>
        <PageHeader title={t('Change password')} />
        <Paper withBorder>
          <EmptyState
            title={t('No password to change')}
            action={
              <Button variant="default" renderRoot={(props) => <Link {...props} to="/" />}>
                {t('To the overview')}
              </Button>
            }
          >
            {t('You logged in with a token. To change a password, log in with user and password.')}
          </EmptyState>
        </Paper>
      </>
    );
  }
  const errorOf = (pointer: string, label: string) => {
    const problem = change.error instanceof ApiError ? change.error.problem : undefined;
    const found = problem?.errors?.find((error) => error.pointer === pointer);
    return found === undefined ? undefined : messageOf(found, { label });
  };
  const ofCurrent = errorOf('/currentPassword', t('Current password'));
  const ofNew = errorOf('/newPassword', t('New password'));
  const onFields = ofCurrent ?? ofNew;
  const differs = again !== '' && again !== fresh;
  return (
    <>
      <PageHeader title={t('Change password')} subtitle={account?.name} />
      <Paper withBorder p="md" maw={440}>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            if (again === fresh) {
              change.mutate({ currentPassword: current, newPassword: fresh });
            }
          }}
        >
          <Stack>
            {account?.mustChangePassword === true && (
              <Alert color="yellow" role="alert">
                {t('Another user set your password. Choose your own to continue.')}
              </Alert>
            )}
            <PasswordInput
              label={t('Present password')}
              value={current}
              onChange={(event) => setCurrent(event.currentTarget.value)}
              error={ofCurrent === undefined ? undefined : t('This is not the current password.')}
              required
              autoComplete="current-password"
            />
            <PasswordInput
              label={t('New password')}
              description={t('At least 12 characters. Several unrelated words make a good password.')}
              value={fresh}
              onChange={(event) => setFresh(event.currentTarget.value)}
              error={ofNew}
              required
              minLength={12}
              maxLength={256}
              autoComplete="new-password"
            />
            <PasswordInput
              label={t('New password again')}
              value={again}
              onChange={(event) => setAgain(event.currentTarget.value)}
              error={differs ? t('The two passwords differ.') : undefined}
              required
              autoComplete="new-password"
            />
            {change.error !== null && onFields === undefined && <ProblemAlert error={change.error} />}
            <Group justify="flex-end">
              <Button type="submit" loading={change.isPending} disabled={differs}>
                {t('Change password')}
              </Button>
            </Group>
          </Stack>
        </form>
      </Paper>
    </>
  );
}
