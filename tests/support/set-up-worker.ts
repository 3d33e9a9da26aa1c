import { weakenPasswords } from './weak-passwords.ts'

weakenPasswords()
