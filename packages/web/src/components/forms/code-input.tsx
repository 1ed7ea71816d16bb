import { TextInput, type TextInputProps } from '@mantine/core'

/** For what an authenticator app shows. Pasting works, and browsers may fill it in. */
export const CodeInput = (props: TextInputProps) => (
  <TextInput
    autoComplete="one-time-code"
    inputMode="numeric"
    spellCheck={false}
    placeholder="123 456"
    maxLength={40}
    {...props}
  />
)
