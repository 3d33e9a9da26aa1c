/** Said by the server at a host that is no library’s, and by a device that it was said to. */
export const hostUnknown =
  'Aucune bibliothèque n’est servie à cette adresse. Vérifiez-la, ou prévenez la personne qui s’occupe du serveur. Ce qui est scanné attend sur l’appareil.'
