export async function growth(_o: any): Promise<number> {
  return 0;
}
