import { useState, type Ref } from 'react'
import { TextField } from '../../../ui/field.tsx'

interface NumberFieldProps {
  readonly label: string
  readonly value: number
  readonly least: number
  readonly most: number
  readonly disabled?: boolean
  readonly className?: string
  readonly ref?: Ref<HTMLInputElement>
  readonly onChange: (value: number) => void
}

/** A whole number. A text that is none says so, and leaving the field shows the number again. */
export function NumberField({ value, least, most, onChange, ...field }: NumberFieldProps) {
  const [typed, setTyped] = useState<string | null>(null)
  const number = readWhole(typed ?? String(value))
  const isWrong = number === null || number < least || number > most
  return (
    <TextField
      {...field}
      inputMode="numeric"
      autoComplete="off"
      value={typed ?? String(value)}
      error={isWrong ? `${least} to ${most}` : undefined}
      onChange={({ target }) => {
        setTyped(target.value)
        const entered = readWhole(target.value)
        if (entered !== null && entered >= least && entered <= most) onChange(entered)
      }}
      onBlur={() => setTyped(null)}
    />
  )
}

const readWhole = (text: string): number | null =>
  /^\s*\d{1,4}\s*$/.test(text) ? Number(text) : null
