import { Alert, Anchor, Button, Code, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { checkToken } from '@/lib/api/check-token';
import { logIn } from '@/lib/api/sessions';
import { beginSession, useSession } from '@/lib/session';
import { rich, t } from '@/locales';

/** The ways to log in, the one that was taken last first. */
export function LoginForms() {
  const { notice, token, account } = useSession();
  const [byToken, setByToken] = useState(token !== undefined);
  return (
    <>
      {notice !== undefined && (
        <Alert color="yellow" role="alert">
          {notice}
        </Alert>
      )}
      {byToken ? (
        <TokenForm />
      ) : (
        <PasswordForm known={account?.credential === 'SESSION' ? account.name : ''} />
      )}
      <Anchor component="button" type="button" size="sm" onClick={() => setByToken(!byToken)}>
        {byToken ? t('Log in with user and password') : t('Log in with a token')}
      </Anchor>
    </>
  );
}

function PasswordForm({ known }: { known: string }) {
  const [name, setName] = useState(known);
  const [password, setPassword] = useState('');
  const login = useMutation(logIn);
  const first = useRef<HTMLInputElement>(null);
  const second = useRef<HTMLInputElement>(null);
  useEffect(() => (known === '' ? first : second).current?.focus(), [known]);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (name.trim() === '') {
          first.current?.focus();
        } else if (password === '') {
          second.current?.focus();
        } else {
          login.mutate({ name: name.trim(), password });
        }
      }}
    >
      <Stack>
        <TextInput
          label={t('User')}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          required
          ref={first}
          autoComplete="username"
          autoCapitalize="none"
        />
        <PasswordInput
          label={t('Password')}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          error={login.error?.message}
          required
          ref={second}
          autoComplete="current-password"
          visibilityToggleButtonProps={{ 'aria-label': t('Show the password') }}
        />
        <Button type="submit" loading={login.isPending}>
          {t('Log in')}
        </Button>
        <Text size="xs" c="dimmed">
          {rich('The first start created the user {name} and printed its password once.', {
            name: <Code>admin</Code>,
          })}
        </Text>
      </Stack>
    </form>
  );
}

function TokenForm() {
  const [token, setToken] = useState('');
  const check = useMutation({
    ...checkToken,
    onSuccess: ({ token: accepted, account }) => beginSession(accepted, account),
  });
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (token.trim() === '') {
          field.current?.focus();
        } else {
          check.mutate(token.trim());
        }
      }}
    >
      <Stack>
        <PasswordInput
          label={t('Token')}
          description={t('The admin token, or an API token.')}
          value={token}
          onChange={(event) => setToken(event.currentTarget.value)}
          error={check.error?.message}
          required
          ref={field}
          autoComplete="off"
          visibilityToggleButtonProps={{ 'aria-label': t('Show the token') }}
        />
        <Button type="submit" loading={check.isPending}>
          {t('Log in')}
        </Button>
        <Text size="xs" c="dimmed">
          {rich('The admin token is the value of {setting}, or the file {file} in the data directory.', {
            setting: <Code>SIGMA_ADMIN_TOKEN</Code>,
            file: <Code>admin-token</Code>,
          })}
        </Text>
      </Stack>
    </form>
  );
}
