import { ActionIcon, Button, Menu } from '@mantine/core';
import { IconCheck, IconLanguage } from '@tabler/icons-react';
import { choose, language, languages, t, type Language } from '@/locales';

/** Changes the language of the dashboard. */
export function LanguageMenu({ named = false }: { named?: boolean }) {
  const label = t('Language: {name}', { name: languages[language] });
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        {named ? (
          <Button
            variant="subtle"
            color="gray"
            size="compact-sm"
            leftSection={<IconLanguage size={16} />}
            aria-label={label}
          >
            {languages[language]}
          </Button>
        ) : (
          <ActionIcon variant="subtle" color="gray" aria-label={label}>
            <IconLanguage size={18} />
          </ActionIcon>
        )}
      </Menu.Target>
      <Menu.Dropdown>
        {(Object.keys(languages) as Language[]).map((each) => (
          <Menu.Item
            key={each}
            lang={each}
            aria-current={each === language ? 'true' : undefined}
            rightSection={each === language ? <IconCheck size={14} /> : undefined}
            onClick={() => choose(each)}
          >
            {languages[each]}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
