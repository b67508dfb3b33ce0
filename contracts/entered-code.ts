import { z } from 'zod'
import { codeLength, typedCode } from './sign-in-code.ts'

const tooLongCode = `The code has ${codeLength} characters at most.`

/** A sign-in code as a person typed it, such as `123 456`: it becomes `123456`. */
export const enteredCode = z
  .string()
  .max(100, tooLongCode)
  .overwrite(typedCode)
  .min(1, 'Enter the code.')
  .max(codeLength, tooLongCode)
