import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconDownload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { exportConfig, exportSigmaJson } from '@/lib/api/export-document';
import { saveFile } from '@/lib/save-file';
import { many, t } from '@/locales';

export function ExportButtons() {
  const config = useMutation({
    mutationFn: exportConfig,
    onSuccess: (state) => save('sigma-config.json', state),
    onError: tell,
  });
  const sigmaJson = useMutation({
    mutationFn: exportSigmaJson,
    onSuccess: ({ file, warnings }) => {
      save('sigma.json', file);
      if (warnings.length > 0) {
        notifications.show({
          title: t('sigma.json cannot hold everything'),
          message: many(
            warnings.length,
            '{count} field is left out or changes its meaning: {pointer}.',
            '{count} fields are left out or change their meaning, such as {pointer}.',
            { pointer: warnings[0]?.pointer ?? '' },
          ),
          color: 'yellow',
          autoClose: false,
          closeButtonProps: { 'aria-label': t('Dismiss') },
        });
      }
    },
    onError: tell,
  });
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconDownload size={16} />}
        loading={config.isPending}
        onClick={() => config.mutate()}
      >
        {t('Export whole state')}
      </Button>
      <Button
        variant="default"
        leftSection={<IconDownload size={16} />}
        loading={sigmaJson.isPending}
        onClick={() => sigmaJson.mutate()}
      >
        {t('Export sigma.json')}
      </Button>
    </>
  );
}

function tell(error: Error) {
  notifications.show({
    title: t('The export failed'),
    message: error.message,
    color: 'red',
    autoClose: false,
  });
}

function save(name: string, content: unknown) {
  saveFile(name, new Blob([JSON.stringify(content, null, 2) + '\n'], { type: 'application/json' }));
}
