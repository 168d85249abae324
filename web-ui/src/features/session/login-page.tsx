import { Alert, Button, Center, Code, Paper, PasswordInput, Stack, Text, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { Logo } from '@/components/logo';
import { checkToken } from '@/lib/api/check-token';
import { beginSession, useSession } from '@/lib/session';

export function LoginPage() {
  const { notice } = useSession();
  const [token, setToken] = useState('');
  const check = useMutation({ ...checkToken, onSuccess: beginSession });
  const error = check.error?.message;
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  return (
    <Center mih="100vh" p="md" component="main" bg="var(--sigma-page)">
      <Paper withBorder p="xl" w={400} maw="100%">
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
            <Stack gap={6} align="center">
              <Logo size={44} />
              <Title order={1} size="h3">
                Log in to Sigma
              </Title>
            </Stack>
            {notice !== undefined && error === undefined && (
              <Alert color="yellow" role="alert">
                {notice}
              </Alert>
            )}
            <PasswordInput
              label="Admin token"
              description="The control plane prints where it is when it starts."
              value={token}
              onChange={(event) => setToken(event.currentTarget.value)}
              error={error}
              required
              ref={field}
              autoComplete="current-password"
              visibilityToggleButtonProps={{ 'aria-label': 'Show the token' }}
            />
            <Button type="submit" loading={check.isPending}>
              Log in
            </Button>
            <Text size="xs" c="dimmed">
              Lost it? It is the value of <Code>SIGMA_ADMIN_TOKEN</Code>, or the file <Code>admin-token</Code>{' '}
              in the data directory.
            </Text>
          </Stack>
        </form>
      </Paper>
    </Center>
  );
}
