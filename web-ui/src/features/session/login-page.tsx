import { Center, Paper, Stack, Title } from '@mantine/core';
import { LanguageMenu } from '@/components/language-menu';
import { Logo } from '@/components/logo';
import { LoginForms } from '@/features/session/login-forms';
import { t } from '@/locales';

export function LoginPage() {
  return (
    <Center mih="100vh" p="md" component="main" bg="var(--sigma-page)">
      <Paper withBorder p="xl" w={400} maw="100%">
        <Stack>
          <Stack gap={6} align="center">
            <Logo size={44} />
            <Title order={1} size="h3">
              {t('Log in to Sigma')}
            </Title>
          </Stack>
          <LoginForms />
          <Center>
            <LanguageMenu named />
          </Center>
        </Stack>
      </Paper>
    </Center>
  );
}
