import { hash, verify } from '@node-rs/argon2'

// Argon2id, 19 MiB, two passes: what OWASP asks for, about a tenth of a second here.
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

export const hashPassword = (password: string): Promise<string> => hash(password.normalize('NFC'), cost)

export const isPasswordOf = (passwordHash: string, password: string): Promise<boolean> =>
  verify(passwordHash, password.normalize('NFC'))
