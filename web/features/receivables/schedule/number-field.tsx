import { useState, type Ref } from 'react'
import { TextField } from '../../../ui/field.tsx'

interface NumberFieldProps {
  readonly label: string
  readonly value: number
  readonly min: number
  readonly max: number
  readonly disabled?: boolean
  readonly className?: string
  readonly ref?: Ref<HTMLInputElement>
  readonly onChange: (value: number) => void
}

/** A whole number. A text that is none says so, and leaving the field shows the number again. */
export function NumberField({ value, min, max, onChange, ...field }: NumberFieldProps) {
  const [typed, setTyped] = useState<string | null>(null)
  const number = readWhole(typed ?? String(value))
  const isWrong = number === null || number < min || number > max
  return (
    <TextField
      {...field}
      inputMode="numeric"
      autoComplete="off"
      value={typed ?? String(value)}
      error={isWrong ? `${min} to ${max}` : undefined}
      onChange={({ target }) => {
        setTyped(target.value)
        const entered = readWhole(target.value)
        if (entered !== null && entered >= min && entered <= max) onChange(entered)
      }}
      onBlur={() => setTyped(null)}
    />
  )
}

const readWhole = (text: string): number | null =>
  /^\s*\d{1,4}\s*$/.test(text) ? Number(text) : null
