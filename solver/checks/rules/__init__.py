"""What each rule demands of numbers, said once more and as plainly as can be; by rules' names."""
