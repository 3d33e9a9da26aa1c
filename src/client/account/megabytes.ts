export const megabytes = (bytes: number) =>
  `${new Intl.NumberFormat('fr-FR', { maximumFractionDigits: bytes < 10_000_000 ? 1 : 0 }).format(bytes / 1_000_000)} Mo`
