export async function scale(_o: any): Promise<number> {
  return 0;
}
