print("traveline")
