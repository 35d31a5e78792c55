function answer(keys) {
  console.log(JSON.stringify(keys));
}

