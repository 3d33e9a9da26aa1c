import { type RawBuilder, sql } from 'kysely'

/** Packs whole numbers into one value, because a row each would cost the driver more than the database. */
export const packIds = (id: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`coalesce(string_agg(int4send(${id}), ''::bytea), ''::bytea)`

/** The same for floats; missing ones become `Infinity`. */
export const packNumbers = (number: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`coalesce(string_agg(float8send(coalesce((${number})::float8, 'Infinity')), ''::bytea), ''::bytea)`

export const unpackIds = (bytes: Buffer): Int32Array =>
  new Int32Array(new Uint8Array(bytes).buffer).map((_, at) => bytes.readInt32BE(at * 4))

export const unpackNumbers = (bytes: Buffer): Float64Array =>
  new Float64Array(new Uint8Array(bytes).buffer).map((_, at) => bytes.readDoubleBE(at * 8))
