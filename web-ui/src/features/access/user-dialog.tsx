import { PasswordInput, Switch, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { User } from '#client';
import { DialogForm, FormDialog } from '@/components/form-dialog';
import { RoleSelect } from '@/features/access/role-select';
import { useCreateUser, usePatchUser } from '@/lib/api/users';
import { t } from '@/locales';

interface UserDialogProps {
  /** Whom to edit; undefined for a new user. */
  readonly user: User | undefined;
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** Makes a user, or changes role, state or password of one. */
export function UserDialog({ user, opened, onClose }: UserDialogProps) {
  return (
    <FormDialog
      title={user === undefined ? t('New user') : t('Edit user {name}', { name: user.name })}
      opened={opened}
      onClose={onClose}
    >
      <UserForm key={user?.name ?? ''} user={user} onClose={onClose} />
    </FormDialog>
  );
}

function UserForm({ user, onClose }: Omit<UserDialogProps, 'opened'>) {
  const creation = useCreateUser();
  const change = usePatchUser();
  const [name, setName] = useState('');
  const [role, setRole] = useState(user?.role ?? 'VIEWER');
  const [disabled, setDisabled] = useState(user?.disabled ?? false);
  const [password, setPassword] = useState('');
  const saving = user === undefined ? creation : change;
  const save = () => {
    if (user === undefined) {
      creation.mutate({ name: name.trim(), role, password }, { onSuccess: onClose });
    } else {
      // Nothing else: what another person changes meanwhile, such as that the user may not log in, stays.
      const patch = {
        ...(role === user.role ? {} : { role }),
        ...(disabled === user.disabled ? {} : { disabled }),
        ...(password === '' ? {} : { password }),
      };
      if (Object.keys(patch).length === 0) {
        onClose();
      } else {
        change.mutate({ name: user.name, patch }, { onSuccess: onClose });
      }
    }
  };
  return (
    <DialogForm
      action={t(user === undefined ? 'Create user' : 'Save')}
      saving={saving}
      onSubmit={save}
      onClose={onClose}
    >
      {user === undefined && (
        <TextInput
          label={t('User')}
          description={t('Lower-case letters, digits, and . _ @ -')}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          pattern="[a-z0-9][a-z0-9._@\-]*"
          maxLength={64}
          required
          autoComplete="off"
          data-autofocus
        />
      )}
      <RoleSelect role={role} onRole={setRole} />
      <PasswordInput
        label={t(user === undefined ? 'First password' : 'New password')}
        description={t('At least 12 characters. The user has to change it at the next login.')}
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
        minLength={12}
        maxLength={256}
        required={user === undefined}
        autoComplete="new-password"
        visibilityToggleButtonProps={{ 'aria-label': t('Show the password') }}
      />
      {user !== undefined && (
        <Switch
          label={t('Disabled: cannot log in')}
          checked={disabled}
          onChange={(event) => setDisabled(event.currentTarget.checked)}
        />
      )}
    </DialogForm>
  );
}
